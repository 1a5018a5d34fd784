import type { Page } from 'playwright-core';
import type { Camera } from './camera.ts';
import * as steps from '../steps.ts';

/** A program asks to be let in: what is shown of it, and what becomes of it. */
export async function takeDevices(page: Page, camera: Camera, url: string): Promise<void> {
  await typeCode(page, url);
  await camera('device-code');
  await decide(page, 'Refuse', () => camera('device-decision'));
  await camera('device-refused');
  await typeCode(page, url);
  await decide(page, 'Approve');
  await camera('device-approved');
}

async function typeCode(page: Page, url: string): Promise<void> {
  const response = await fetch(`${url}/api/auth/device/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'lilac-cli/0.1.0 (linux x64)' },
    body: JSON.stringify({ client_id: 'lilac-cli' }),
  });
  const device = (await response.json()) as { verification_uri_complete: string; user_code: string };
  await page.goto(device.verification_uri_complete);
  await page.getByLabel('Code shown on the device').fill(device.user_code);
}

async function decide(page: Page, decision: 'Approve' | 'Refuse', look = async () => {}): Promise<void> {
  await page.keyboard.press('Enter');
  await page.getByText('lilac-cli', { exact: true }).waitFor();
  await look();
  await page.getByRole('button', { name: decision }).click();
  await page.getByRole('heading', { name: decision === 'Approve' ? 'is connected' : 'was refused' }).waitFor();
}

/** Somebody is invited, and comes by the link; then nobody is signed in. */
export async function takeInvitation(page: Page, camera: Camera): Promise<void> {
  await page.goto('/');
  const link = await steps.invite(page, `guest-${Date.now()}@example.org`);
  await camera('members-invited');
  await steps.signOut(page);
  await camera('sign-in');
  await page.goto(link);
  await page.getByLabel('Your name').waitFor();
  await camera('invite');
}
