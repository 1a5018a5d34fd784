import { useState } from 'react';

const greeting = import.meta.env.VITE_GREETING ?? 'Hello from Vite and React';

export function App() {
  const [count, setCount] = useState(0);
  return (
    <main>
      <h1>{greeting}</h1>
      <p>
        The path is <code>{window.location.pathname}</code>.
      </p>
      <button type="button" onClick={() => setCount(count + 1)}>
        Pressed {count} times
      </button>
    </main>
  );
}
