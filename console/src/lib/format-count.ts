const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** "383", "3.1K", "2M": how many, where there is little room. */
export const formatCount = (count: number): string => compact.format(count);
