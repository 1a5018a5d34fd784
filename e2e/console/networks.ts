import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';

const networks = ['127.0.0.0/8', '::1/128', '203.0.113.0/24'];

/** Who may connect to a database that has a public address. Call it within a `describe`. */
export function testNetworks(openSettings: () => Promise<Page>): void {
  it('networks are sent where they were changed, and nothing else with them', async () => {
    const page = await openSettings();
    const form = page.getByRole('form', { name: 'Who may connect' });
    const field = form.getByLabel('Networks that may connect');
    await field.fill(networks.join('\n'));
    const asked = page.waitForRequest('**/api/databases/update');
    await form.getByRole('button', { name: 'Save' }).click();
    const sent = (await asked).postDataJSON() as object;
    expect(sent).toMatchObject({ authorizedNetworks: networks });
    expect(sent).not.toHaveProperty('publicIpEnabled');
    await form.getByText('Saved').waitFor();
    expect((await field.inputValue()).split('\n')).toEqual(networks);
  });
}
