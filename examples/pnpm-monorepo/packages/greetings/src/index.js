export function greet(name) {
  return `Hello ${name}, from a package beside this one`;
}
