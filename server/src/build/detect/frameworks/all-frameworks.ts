import { angular, ionicAngular } from './angular.ts';
import { astro } from './astro.ts';
import type { JsFramework } from './js-framework.ts';
import { metaFrameworks } from './meta-frameworks.ts';
import { singlePageTools } from './single-page.ts';
import { siteGenerators } from './site-generators.ts';
import { sveltekit } from './sveltekit.ts';

/**
 * The first that a project uses is its framework. What builds upon another stands before it: nearly all of
 * them bring Vite along, and so it stands near the end.
 */
export const jsFrameworks: readonly JsFramework[] = [
  ...metaFrameworks,
  astro,
  ...siteGenerators,
  sveltekit,
  ionicAngular,
  angular,
  ...singlePageTools,
];
