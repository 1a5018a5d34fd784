import type { IconName } from '../../parts/icon.tsx';

/** Something that can be jumped to, or done at once. */
export interface PaletteEntry {
  id: string;
  icon: IconName;
  label: string;
  /** What it is, or where it belongs; found as well. */
  kind: string;
  /** A part of the label that does not make it longer than others that fit alike. */
  uncounted?: string;
  run: () => void;
}
