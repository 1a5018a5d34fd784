import type { Page, Request } from 'playwright-core';
import { expect, it } from 'vitest';

export interface AskingWorld {
  page: Page;
  deploymentId: string;
  /** Whose it is. */
  organisation: string;
  /** Of the end of its log. */
  line: string;
  /** Browsers call it a fault that something is not there. */
  forgetProblems: () => void;
}

/** What the page of a deployment asks the platform for a member of two organisations. Call it within a `describe`. */
export function testAskedOnce(world: () => AskingWorld): void {
  it('a deployment, with its log, and what was done to its environment are asked for once', async () => {
    const { page, organisation } = world();
    await page.goto('/organisations/new');
    await page.getByRole('textbox', { name: 'Name' }).fill('Elsewhere');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByText('What Elsewhere runs.').waitFor();
    await page.getByRole('combobox', { name: 'Organisation' }).selectOption({ label: organisation });
    await page.getByText(`What ${organisation} runs.`).waitFor();
    const asked = await openAndCount(world());
    expect(asked.map(({ path }) => path).toSorted()).toEqual(['/api/deployments/get', '/api/environments/activity']);
  });

  it('one of another organisation is found there, and its log is read by its page alone', async () => {
    const { page, organisation, forgetProblems } = world();
    await page.getByRole('combobox', { name: 'Organisation' }).selectOption({ label: 'Elsewhere' });
    await page.getByText('What Elsewhere runs.').waitFor();
    const asked = await openAndCount(world());
    await page.getByText(`This belongs to ${organisation}`).waitFor();
    const deployments = asked.filter(({ path }) => path === '/api/deployments/get');
    expect(deployments).toHaveLength(3);
    expect(deployments.filter(({ isRead }) => isRead)).toHaveLength(1);
    forgetProblems();
  });
}

interface Asked {
  path: string;
  /** The answer was there, and came to its end. */
  isRead: boolean;
}

const counted = /\/api\/(?:deployments\/get|environments\/activity)$/;

/** Opens the page, and waits for the log and for what it says last of all: why there was a deployment. */
async function openAndCount({ page, deploymentId, line }: AskingWorld): Promise<Asked[]> {
  const asked = new Map<Request, Asked>();
  const onRequest = (request: Request) => {
    const { pathname: path } = new URL(request.url());
    if (counted.test(path)) asked.set(request, { path, isRead: false });
  };
  const onFinished = async (request: Request) => {
    const known = asked.get(request);
    if (known) known.isRead = (await request.response())?.ok() ?? false;
  };
  page.on('request', onRequest);
  page.on('requestfinished', (request) => void onFinished(request));
  await page.goto(`/deployments/${deploymentId}`);
  await page.getByRole('group', { name: 'Lines of the build log' }).getByText(line).waitFor();
  await page.locator('.deployment-facts').getByText('deployed by').waitFor();
  page.removeAllListeners('requestfinished');
  page.removeListener('request', onRequest);
  return [...asked.values()];
}
