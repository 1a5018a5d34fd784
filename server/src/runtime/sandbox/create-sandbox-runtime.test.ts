import { describe } from 'vitest';
import { conformToRuntime } from '../conformance.ts';
import { openSandboxSubject } from './testing/sandbox-subject.ts';

describe('the sandbox runtime', () => {
  conformToRuntime(() => openSandboxSubject());
});
