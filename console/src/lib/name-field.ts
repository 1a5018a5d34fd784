import { ownValue } from './own-value.ts';

/** Where the words of a name would say something else than its form does. */
const ofForms: Record<string, string> = {
  customDomain: 'domain',
  newDomain: 'domain',
  vcsBranch: 'branch',
  productionBranch: 'branch',
  vcsRepoUrl: 'address of the repository',
  rootDirectory: 'folder',
  outputDirectory: 'output folder',
  minInstances: 'smallest number of instances',
  maxInstances: 'largest number of instances',
  environmentVars: 'list of variables',
  expiresAt: 'expiry',
  cpu: 'CPU',
};

/** The platform begins with what a call has; people know what the page calls it. */
export function nameField(message: string): string {
  return message.replace(
    /^([a-z][A-Za-z0-9]*)(?:\[\d+\]|\.[\w-]+)*(?= (?:must|does|is|has|holds|cannot|may)\b)/,
    (_, field: string) => `The ${ownValue(ofForms, field) ?? inWords(field)}`,
  );
}

/** `buildCommand` → `build command`. */
const inWords = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
