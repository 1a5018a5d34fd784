/** A setting as people read of it. */
export interface Setting {
  name: `LILAC_${string}`;
  default: string;
  summary: string;
}
