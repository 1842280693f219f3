// The file of a built package by whose time it is known which sources it is of.
export function getEntryFile(name: string): string {
  return name === 'shell' ? 'index.html' : 'mf-manifest.json'
}
