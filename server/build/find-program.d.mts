export const buildsFolder: string;
export const sourceProgram: string;
export function nameOfBuild(): string;
export function findProgram(): string;
