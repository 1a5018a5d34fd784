import { expect, it } from 'vitest';
import { QueryResultView } from './query-result.tsx';

it('a result is drawn anew only when it is another one, not with every letter of the next statement', () => {
  expect(QueryResultView).toMatchObject({ $$typeof: Symbol.for('react.memo'), compare: null });
});
