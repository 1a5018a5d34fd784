/**
 * Where instances are processes of this machine, their output is files. Apart from the rest: the supervisor stays
 * small.
 */
export { guardOutputs, type OutputGuard } from '../runtime/output/guard-outputs.ts';
