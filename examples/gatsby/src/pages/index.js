import * as React from 'react';

export default function Home() {
  return <h1>Hello from Gatsby</h1>;
}
