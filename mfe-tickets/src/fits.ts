// Looking for a name among those that are there.
/** Without accents and case. */
export function fits(name: string, search: string): boolean {
  return plain(name).includes(plain(search.trim()))
}

function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase('pt')
}
