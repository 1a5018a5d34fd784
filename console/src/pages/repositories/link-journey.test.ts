import { describe, expect, it } from 'vitest';
import { advance, type Journey } from './link-journey.ts';

const away: Journey = { step: 'away', url: null, message: null };
const status = (state: 'waiting' | 'requested' | 'confirm' | 'refused', message: string | null = null) =>
  ({ event: 'status', data: { status: state, message } }) as const;

describe('the journey to a host', () => {
  it('ends when the account is linked', () => {
    expect(advance(away, { event: 'linked', data: { accountLogin: 'acme' } })).toEqual({
      step: 'linked',
      accountLogin: 'acme',
    });
  });

  it('goes on while an owner has to approve, and says so', () => {
    const asked = advance(away, status('requested', 'An owner must approve.'));
    expect(asked).toEqual({ ...away, message: 'An owner must approve.' });
    expect(advance(asked, status('waiting'))).toEqual(away);
  });

  it('ends with the reason when it is refused', () => {
    expect(advance(away, status('refused', 'You did not allow it.'))).toEqual({
      step: 'refused',
      message: 'You did not allow it.',
    });
  });

  it('is not begun by what others do', () => {
    expect(advance({ step: 'at-home' }, status('refused', 'no'))).toEqual({ step: 'at-home' });
  });
});
