export const colour = '#9a6fd0';
