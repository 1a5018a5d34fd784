/** A site of three files, which needs nothing from anywhere else. */
export function sampleFiles(madeAt: Date): Record<string, string> {
  return { 'index.html': page(madeAt), 'style.css': style, 'petals.svg': petals };
}

function page(madeAt: Date): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Hello from Lilac</title>
    <link rel="icon" href="petals.svg" />
    <link rel="stylesheet" href="style.css" />
  </head>
  <body>
    <main>
      <img src="petals.svg" alt="" width="120" height="120" />
      <h1>It works</h1>
      <p>This page was made in your browser, sent as an archive, and released a moment later.</p>
      <p>Next, deploy something of your own: drop a folder on the console, or choose a repository.</p>
      <footer>Made at <time datetime="${madeAt.toISOString()}">${madeAt.toUTCString()}</time></footer>
    </main>
  </body>
</html>
`;
}

const style = `:root {
  color-scheme: light dark;
  font: 112.5%/1.6 system-ui, sans-serif;
  background: light-dark(#faf8fc, #16131c);
  color: light-dark(#231d2c, #ece7f3);
}

body {
  display: grid;
  min-height: 100svh;
  margin: 0;
  place-items: center;
  background: radial-gradient(circle at 50% 20%, light-dark(#efe7fa, #352a49), transparent 60%);
}

main {
  max-width: 32rem;
  padding: 2rem;
  text-align: center;
  text-wrap: balance;
}

h1 {
  margin: 1rem 0 0.5rem;
  font-size: 2.5rem;
  letter-spacing: -0.02em;
}

img {
  animation: open 1.2s ease-out;
}

footer {
  margin-top: 2rem;
  color: light-dark(#655b73, #a99fb8);
  font-size: 0.875rem;
}

@keyframes open {
  from {
    opacity: 0;
    rotate: -45deg;
    scale: 0.6;
  }
}

@media (prefers-reduced-motion: reduce) {
  img {
    animation: none;
  }
}
`;

const petals = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <g fill="#a984e0">
    <ellipse cx="50" cy="27" rx="15" ry="23" />
    <ellipse cx="50" cy="73" rx="15" ry="23" />
    <ellipse cx="27" cy="50" rx="23" ry="15" fill="#c3a5f2" />
    <ellipse cx="73" cy="50" rx="23" ry="15" fill="#c3a5f2" />
  </g>
  <circle cx="50" cy="50" r="9" fill="#eabf6a" />
</svg>
`;
