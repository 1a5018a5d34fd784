/** Where nobody looks, there is room. */
const UNSEEN = 120;
const USUAL = 80;

/** How wide a terminal is. Some say 0, and mean that they do not know. */
export const widthOf = ({ columns }: { columns?: number | undefined }): number =>
  columns === undefined ? UNSEEN : columns || USUAL;
