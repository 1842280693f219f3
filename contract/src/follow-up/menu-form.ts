// How a menu is shown where it can be pressed (Cloud API reference, "interactive object").
import {
  appendMenu,
  getOptionName,
  getOptionNumber,
  getOptionSection,
  type MenuOption,
  renderMenuLines,
} from './answers.ts'

export interface Menu {
  /** Without the lines. */
  readonly words: string
  readonly options: readonly MenuOption[]
}

/** One that is pressed: what it says, and what stands below in a list. */
export interface MenuChoice {
  readonly id: string
  readonly title: string
  readonly description?: string
}

export interface MenuForm {
  readonly as: 'buttons' | 'list'
  readonly words: string
  readonly sections: readonly { readonly title?: string; readonly choices: readonly MenuChoice[] }[]
}

/** What there is room for. */
export const MENU_MOST = { words: 1024, buttons: 3, onButton: 20, rows: 10, onRow: 24, underRow: 72, onSection: 24 }

/**
 * Up to three options are buttons, up to ten a list, and so are those with sections; null: it goes as text. Nothing that is chosen from is
 * cut: a name without room on its button stands under the number in a list, one that has none there in the lines of the text, and the
 * button says the number.
 */
export function chooseMenuForm({ words, options }: Menu): MenuForm | null {
  const lines = renderMenuLines(options)
  if (words.trim() === '' || words.length > MENU_MOST.words || lines.length > MENU_MOST.rows) return null
  const choices = options.map((option, at) => ({
    id: getOptionNumber(option, at),
    line: lines[at] ?? '',
    name: getOptionName(option).trim(),
    section: getOptionSection(option),
  }))
  const asButtons = lines.length <= MENU_MOST.buttons && choices.every(({ section }) => section === undefined)
  if (asButtons && choices.every(({ line }) => line.length <= MENU_MOST.onButton))
    return toForm('buttons', words, choices, ({ id, line }) => ({ id, title: line }))
  const fits = ({ line, name }: Choice) =>
    line.length <= MENU_MOST.onRow || (name !== '' && name.length <= MENU_MOST.underRow)
  if (choices.every(fits))
    return toForm('list', words, choices, ({ id, line, name }) =>
      line.length <= MENU_MOST.onRow ? { id, title: line } : { id, title: id, description: name },
    )
  const body = appendMenu(words, options)
  if (body.length > MENU_MOST.words) return null
  return toForm(asButtons ? 'buttons' : 'list', body, choices, ({ id }) => ({ id, title: id }))
}

interface Choice {
  readonly id: string
  readonly line: string
  readonly name: string
  readonly section: string | undefined
}

function toForm(
  as: MenuForm['as'],
  words: string,
  choices: readonly Choice[],
  toChoice: (choice: Choice) => MenuChoice,
): MenuForm {
  const sections: { title?: string; choices: MenuChoice[] }[] = []
  for (const [at, choice] of choices.entries()) {
    const { section } = choice
    if (at === 0 || section !== choices[at - 1]?.section)
      sections.push({ ...(section !== undefined && { title: section }), choices: [] })
    sections.at(-1)?.choices.push(toChoice(choice))
  }
  return { as, words, sections }
}
