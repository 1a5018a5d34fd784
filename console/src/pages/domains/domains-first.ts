interface Named {
  environments: readonly { custom_domain: string | null }[];
}

/** Those with a domain before those without; otherwise in the order they had. */
export function domainsFirst<Application extends Named>(applications: readonly Application[]): Application[] {
  return [...applications.filter(hasDomain), ...applications.filter((each) => !hasDomain(each))];
}

function hasDomain({ environments }: Named): boolean {
  return environments.some(({ custom_domain }) => custom_domain !== null);
}
