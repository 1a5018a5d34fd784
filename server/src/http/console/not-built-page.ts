/** In place of a console that was never built. The rest of the platform works without it. */
export const notBuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Lilac</title>
  </head>
  <body>
    <h1>The console has not been built</h1>
    <p>The API works: see <a href="/docs">its reference</a>.</p>
    <p>To have the console too, stop the platform and run <code>npm start</code> in the project's folder, which builds
    it; or build it alone with <code>npm run build --workspace console</code> and start again.</p>
  </body>
</html>
`;
