import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface Viewport {
  width: number;
  height: number;
}

export const desktop: Viewport = { width: 1280, height: 800 };
export const phone: Viewport = { width: 360, height: 740 };

export interface VisitorOptions {
  /** The platform's origin. */
  url: string;
  viewport?: Viewport;
  colorScheme?: 'light' | 'dark';
}

/** Somebody with a browser profile of their own. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** Whatever went wrong behind the page: errors in its console, refused content, requests to other hosts. */
  problems: string[];
  /** A further tab of the same profile, watched as well. */
  openTab(): Promise<Page>;
}

export async function launchBrowser(further: readonly string[] = []): Promise<Browser> {
  return await chromium.launch(launchOptions(further));
}

export function launchOptions(further: readonly string[] = []) {
  return {
    executablePath: '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...further,
    ],
  };
}

export async function openVisitor(
  browser: Browser,
  { url, viewport = desktop, colorScheme = 'light' }: VisitorOptions,
) {
  const context = await browser.newContext({ baseURL: url, viewport, colorScheme });
  const problems: string[] = [];
  await context.exposeBinding('reportViolation', (_source, violation: string) => {
    problems.push(`refused by the content security policy: ${violation}`);
  });
  await context.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      (globalThis as unknown as { reportViolation(text: string): void }).reportViolation(
        `${violatedDirective} ${blockedURI}`,
      );
    });
  });
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) problems.push(`request to ${request.url()}`);
  });
  const openTab = async () => watch(await context.newPage(), problems);
  return { context, page: await openTab(), problems, openTab } satisfies Visitor;
}

/** A page asks by its cookie who is signed in; that nobody is, is an answer and no error. */
const EXPECTED = /status of 401 .*\/api\/auth\/refresh$/;
/**
 * What runs beside a test makes and removes networks: Chromium gives up what is under way then, and the page asks
 * again.
 */
const GIVEN_UP = /net::ERR_NETWORK_CHANGED/;

function watch(page: Page, problems: string[]): Page {
  page.setDefaultTimeout(45_000);
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    const isTrouble =
      ['error', 'warning'].includes(message.type()) && ![EXPECTED, GIVEN_UP].some((known) => known.test(text));
    if (isTrouble) problems.push(`console: ${text}`);
  });
  return page;
}
