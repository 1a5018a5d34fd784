import { beforeEach, describe, expect, it } from 'vitest';
import { LostAnswer } from '../lib/lost-answer.ts';
import { FakeBrowser, FakePlatform, type FakeTab } from './testing/fake-platform.ts';

describe('a session', () => {
  let platform: FakePlatform;
  let browser: FakeBrowser;
  beforeEach(() => {
    platform = new FakePlatform();
    browser = new FakeBrowser(platform);
  });

  it('begins signed out without a cookie', async () => {
    const tab = browser.openTab();
    await tab.session.refresh();
    expect(tab.session.state().status).toBe('signed-out');
  });

  it('begins signed in with a cookie, and calls with the token it got for it', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    expect(tab.session.state().status).toBe('signed-in');
    await expect(tab.session.call('auth.profile')).resolves.toMatchObject({ email: 'ada@example.org' });
  });

  it('signs nobody out while the platform does not answer', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    platform.isDown = true;
    await tab.session.refresh();
    expect(tab.session.state().status).toBe('unreachable');
    platform.isDown = false;
    await tab.runTimer();
    expect(tab.session.state().status).toBe('signed-in');
    platform.isDown = true;
    await tab.session.refresh();
    expect(tab.session.state().status).toBe('signed-in');
  });

  it('waits as long as the platform asks for where too much was asked, and goes on by itself', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    platform.isDown = true;
    await tab.session.refresh();
    platform.isDown = false;
    platform.retryAfterSeconds = 240;
    await tab.runTimer();
    expect(tab.session.state()).toEqual({ status: 'throttled', untilMs: browser.nowMs + 240_000 });
    expect(tab.timer?.delayMs).toBe(240_000);
    platform.retryAfterSeconds = null;
    await tab.runTimer();
    expect(tab.session.state().status).toBe('signed-in');
    platform.retryAfterSeconds = 30;
    await tab.session.refresh();
    expect([tab.session.state().status, tab.timer?.delayMs]).toEqual(['signed-in', 30_000]);
  });

  it('refreshes a minute before the token expires', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    expect(tab.timer?.delayMs).toBe(14 * 60_000);
    await tab.runTimer();
    expect(platform.refreshes).toBe(2);
    expect(tab.session.state().status).toBe('signed-in');
  });

  it('refreshes before a call when the computer slept through the timer', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    browser.nowMs += 3_600_000;
    platform.revokeAccessTokens();
    await tab.session.call('auth.profile');
    expect([platform.refreshes, platform.refusals]).toEqual([2, 0]);
  });

  it('refreshes once for any number of calls that were refused, and repeats them', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    platform.revokeAccessTokens();
    await Promise.all([1, 2, 3].map(() => tab.session.call('auth.profile')));
    expect([platform.refreshes, platform.refusals]).toEqual([2, 3]);
  });

  it('ends when the refresh is refused as well', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    platform.revokeAccessTokens();
    browser.cookie = 'forged';
    await expect(tab.session.call('auth.profile')).rejects.toMatchObject({ code: 'CA002' });
    expect(tab.session.state()).toMatchObject({ status: 'ended', token: { userId: 'usr_1' } });
  });

  it('a stream that is refused is opened again with a new token', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    platform.revokeAccessTokens();
    await expect(firstOfLog(tab)).resolves.toEqual({ message: 'hello' });
    expect([platform.refreshes, platform.refusals]).toEqual([2, 1]);
  });

  it('ends when a stream is refused and so is the refresh', async () => {
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    platform.revokeAccessTokens();
    browser.cookie = 'forged';
    await expect(firstOfLog(tab)).rejects.toMatchObject({ code: 'CA002' });
    expect(tab.session.state().status).toBe('ended');
  });

  it('passes a refusal of a call without a token on as it is', async () => {
    const tab = browser.openTab();
    await tab.session.refresh();
    await expect(tab.session.call('auth.profile')).rejects.toMatchObject({ code: 'CA001' });
    expect(platform.refreshes).toBe(0);
  });

  it('tells the other tabs when it ends, and they end too', async () => {
    browser.cookie = platform.issueRefreshToken();
    const [one, other] = [browser.openTab(), browser.openTab()];
    await Promise.all([one.session.refresh(), other.session.refresh()]);
    await one.session.signOut();
    expect([one, other].map((tab) => tab.session.state().status)).toEqual(['over', 'over']);
  });

  it('ended by another tab, it keeps what is unsaved in this one until the same person is back', async () => {
    browser.cookie = platform.issueRefreshToken();
    const [one, other] = [browser.openTab(), browser.openTab()];
    await Promise.all([one.session.refresh(), other.session.refresh()]);
    other.hasUnsaved = true;
    await one.session.signOut();
    expect([one, other].map((tab) => tab.session.state().status)).toEqual(['over', 'ended']);
    await other.session.adopt(platform.issueAccessToken());
    expect([other.session.state().status, other.startedAnew]).toEqual(['signed-in', []]);
  });

  it('tells the other tabs when it begins, and they follow', async () => {
    const [one, other] = [browser.openTab(), browser.openTab()];
    await Promise.all([one.session.refresh(), other.session.refresh()]);
    browser.cookie = platform.issueRefreshToken();
    await one.session.adopt(platform.issueAccessToken());
    await other.session.refresh();
    expect(other.session.state().status).toBe('signed-in');
  });
});

describe('a document', () => {
  let platform: FakePlatform;
  let browser: FakeBrowser;
  let tab: FakeTab;
  beforeEach(async () => {
    platform = new FakePlatform();
    browser = new FakeBrowser(platform);
    browser.cookie = platform.issueRefreshToken();
    tab = browser.openTab();
    await tab.session.refresh();
  });

  it('is over for whoever signs out, and another begins where it leads to', async () => {
    const shown: string[] = [];
    tab.session.subscribe(() => shown.push(tab.session.state().status));
    await tab.session.signOut('/sign-in');
    expect([shown, tab.startedAnew]).toEqual([['over'], ['/sign-in']]);
  });

  it('goes on with nothing when it is over: neither what was asked for before, nor what would be asked for next', async () => {
    const settled: unknown[] = [];
    const follow = (work: Promise<unknown>) => void work.finally(() => settled.push(work)).catch(() => {});
    follow(tab.session.call('auth.profile'));
    // Its answer is on the way.
    while (platform.done.length === 0) await Promise.resolve();
    platform.userId = 'usr_2';
    browser.cookie = platform.issueRefreshToken();
    follow(tab.session.adopt(platform.issueAccessToken()));
    const { refreshes } = platform;
    follow(tab.session.call('auth.profile'));
    follow(tab.session.freshToken());
    follow(firstOfLog(tab));
    follow(tab.session.adopt(platform.issueAccessToken()));
    await tab.session.refresh();
    await tab.runTimer();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([settled, platform.done, platform.refreshes]).toEqual([[], ['/api/auth/profile'], refreshes]);
    expect([tab.session.state().status, tab.startedAnew]).toEqual(['over', ['the same address']]);
  });

  it.each([
    ['is refused', 0],
    ['is out of date', 3_600_000],
  ])(
    'is over where somebody else has signed in in another tab, and asks nothing as them: its token %s',
    async (...how) => {
      browser.nowMs += how[1];
      platform.revokeAccessTokens();
      platform.userId = 'usr_2';
      let isSettled = false;
      void tab.session
        .call('auth.profile')
        .finally(() => (isSettled = true))
        .catch(() => {});
      await expect.poll(() => tab.startedAnew).toEqual(['the same address']);
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect([isSettled, platform.done, tab.session.state()]).toEqual([false, [], { status: 'over' }]);
    },
  );

  it('is over where somebody else signs in when the session has ended, and never shows as theirs', async () => {
    platform.revokeAccessTokens();
    browser.cookie = 'forged';
    await tab.session.refresh();
    const shown: string[] = [];
    tab.session.subscribe(() => shown.push(tab.session.state().status));
    platform.userId = 'usr_2';
    void tab.session.adopt(platform.issueAccessToken(), '/');
    expect([shown, tab.startedAnew]).toEqual([['over'], ['/']]);
  });

  it('of nobody is anybody’s: who signs in, or out in another tab, changes nothing of it', async () => {
    const stranger = new FakeBrowser(platform);
    const [one, other] = [stranger.openTab(), stranger.openTab()];
    await Promise.all([one.session.refresh(), other.session.refresh()]);
    await one.session.signOut();
    await other.session.adopt(platform.issueAccessToken());
    expect([other.session.state().status, other.startedAnew]).toEqual(['signed-in', []]);
  });
});

describe('two tabs that refresh at the same moment', () => {
  it.each([
    ['take turns where the browser has locks', true],
    ['recover where it has none', false],
  ])('%s, and neither is signed out', async (_case, hasLocks) => {
    const platform = new FakePlatform();
    const browser = new FakeBrowser(platform, { hasLocks });
    browser.cookie = platform.issueRefreshToken();
    const tabs = [browser.openTab(), browser.openTab(), browser.openTab()];
    for (let round = 0; round < 3; round++) {
      await Promise.all(tabs.map((tab) => tab.session.refresh()));
      expect(tabs.map((tab) => tab.session.state().status)).toEqual(['signed-in', 'signed-in', 'signed-in']);
    }
  });
});

describe('a call whose answer was lost', () => {
  const body = { targetOrganisationId: 'org_1', name: 'deploys', role: 'user' as const };
  let platform: FakePlatform;
  let tab: FakeTab;
  let losses = 0;
  beforeEach(async () => {
    platform = new FakePlatform();
    const browser = new FakeBrowser(platform);
    browser.cookie = platform.issueRefreshToken();
    tab = browser.openTab();
    await tab.session.refresh();
    losses = 0;
    tab.session.onAnswerLost(() => losses++);
  });

  it('may have changed something: that is told, also to whoever shows what may have changed', async () => {
    platform.losesNextAnswer = true;
    await expect(tab.session.call('api-keys.create', { body })).rejects.toBeInstanceOf(LostAnswer);
    expect([platform.done, losses]).toEqual([['/api/api-keys/create'], 1]);
  });

  it('has changed nothing where it only asked', async () => {
    platform.losesNextAnswer = true;
    const failure = await tab.session.call('auth.profile').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TypeError);
    expect(losses).toBe(0);
  });

  it('is nobody’s where whoever asked has broken it off', async () => {
    platform.losesNextAnswer = true;
    const signal = AbortSignal.abort();
    await expect(tab.session.call('api-keys.create', { body, signal })).rejects.not.toBeInstanceOf(LostAnswer);
    expect(losses).toBe(0);
  });

  it('is no loss where the platform refused it', async () => {
    const stranger = new FakeBrowser(platform).openTab();
    stranger.session.onAnswerLost(() => losses++);
    await expect(stranger.session.call('api-keys.create', { body })).rejects.toMatchObject({ code: 'CA001' });
    expect(losses).toBe(0);
  });
});

describe('a refresh whose answer was lost', () => {
  it('is repeated under the same key by the page that comes next', async () => {
    const platform = new FakePlatform();
    const browser = new FakeBrowser(platform);
    browser.cookie = platform.issueRefreshToken();
    platform.losesNextAnswer = true;
    await browser.openTab().session.refresh();
    const reloaded = browser.openTab();
    await reloaded.session.refresh();
    expect(reloaded.session.state().status).toBe('signed-in');
  });

  it('leaves no key behind once it was answered', async () => {
    const platform = new FakePlatform();
    const browser = new FakeBrowser(platform);
    browser.cookie = platform.issueRefreshToken();
    const tab = browser.openTab();
    await tab.session.refresh();
    await tab.session.refresh();
    expect(new Set(platform.idempotencyKeys).size).toBe(2);
  });
});

async function firstOfLog({ session }: FakeTab): Promise<unknown> {
  const params = { targetOrganisationId: 'org_1', environmentId: 'env_1' };
  for await (const event of session.stream('logs.stream', { params })) return event.data;
  return null;
}
