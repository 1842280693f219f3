// Two hundred customers for a wall of phones: whom a mass send reaches. Always the same people, so that a desk that knows them finds them again.
import type { PhoneHub } from './hub.ts'
import type { PersonOptions } from './phones.ts'

/** How many phones stand on the wall. */
export const CROWD = 200

const FIRST = [
  ...['Ana', 'Bruno', 'Célia', 'Davi', 'Elisa', 'Fábio', 'Glória', 'Heitor', 'Iara', 'Jonas'],
  ...['Karina', 'Leandro', 'Mônica', 'Nelson', 'Olga', 'Paulo', 'Quitéria', 'Renato', 'Sônia', 'Tadeu'],
]
const SECOND = ['Alves', 'Barros', 'Castro', 'Dantas', 'Esteves', 'Freire', 'Guedes', 'Horta', 'Leite', 'Moraes']

/** Everybody of the crowd; three of four read what comes by themselves. */
export const CROWD_PEOPLE: readonly PersonOptions[] = FIRST.flatMap((first, at) =>
  SECOND.map((second, of) => {
    const serial = at * SECOND.length + of
    return {
      name: `${first} ${second}`,
      number: `55319${String(70_000_000 + serial * 4099)}`,
      crowd: true,
      autoRead: serial % 4 !== 3,
    }
  }),
)

/** Puts the crowd on the wall; who stands there already stays as he is. */
export function bringCrowd(hub: PhoneHub): void {
  for (const person of CROWD_PEOPLE) if (!hub.find(person.number)) hub.customer(person)
}

/** The crowd as a sheet for the desk's address book. */
export function createCrowdSheet(): Response {
  const rows = CROWD_PEOPLE.map(({ name, number }) => `${name};${number}`)
  return new Response(`\uFEFF${['name;number', ...rows].join('\r\n')}\r\n`, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="parede.csv"',
    },
  })
}
