// What a customer is offered to choose from, as a person of the team writes it.
import { MENU_MOST, type Menu } from '../follow-up/menu-form.ts'
import { type Static, Type } from '../kit/schema.ts'

/** One line that says something. */
const Line = (most: number) => Type.String({ maxLength: most, pattern: '^[^\\r\\n]*[^\\s][^\\r\\n]*$' })

/** Up to ten, in their order; with `section` those that stand together under it, then every one has its own. */
export const Choices = Type.Array(
  Type.Object({ name: Line(MENU_MOST.underRow), section: Type.Optional(Line(MENU_MOST.onSection)) }),
  { minItems: 1, maxItems: MENU_MOST.rows },
)
export type Choices = Static<typeof Choices>

/** Whether no two are the same, and either all stand in sections or none. */
export function areChoicesClear(choices: Choices): boolean {
  const names = new Set(choices.map(({ name }) => name.trim().toLowerCase()))
  const grouped = choices.filter(({ section }) => section !== undefined).length
  return names.size === choices.length && (grouped === 0 || grouped === choices.length)
}

/** The menu they are, under these words. */
export function toMenu(words: string, choices: Choices): Menu {
  const options = choices.map(({ name, section }, at) => {
    return { number: String(at + 1), name: name.trim(), ...(section !== undefined && { section: section.trim() }) }
  })
  return { words, options }
}

/** What somebody typed, a choice a line, and behind a `#` what the following stand under. */
export function parseChoices(text: string): Choices {
  let section: string | undefined
  return text.split('\n').flatMap(line => {
    const words = line.trim()
    const heading = /^#+\s*(.*)$/.exec(words)
    if (heading) section = heading[1] || undefined
    return heading || words === '' ? [] : [{ name: words, ...(section !== undefined && { section }) }]
  })
}
