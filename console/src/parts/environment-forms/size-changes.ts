interface Size {
  memory: string | null;
  cpu: string | null;
}

/** Null: as the application has it. What nobody changed here is left out: a colleague may have. */
export type SizeChanges = Partial<Size>;

/** Which processors there are depends on the memory: whoever chooses another chooses both, as they are shown. */
export function sizeChanges(shown: Size, next: Size): SizeChanges {
  if (next.memory !== shown.memory) return { memory: next.memory, cpu: next.cpu };
  return next.cpu === shown.cpu ? {} : { cpu: next.cpu };
}
