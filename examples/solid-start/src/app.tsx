export default function App() {
  return <h1>Hello from SolidStart</h1>;
}
