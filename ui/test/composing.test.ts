// Names written with an input method: the Enter that takes a candidate is no Enter for the page, wherever somebody writes.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { Glob } from 'bun'

const ROOT = path.join(import.meta.dirname, '../..')

/** Enter where nobody writes: on rows, buttons and choices. */
const NO_FIELD = [
  'mfe-tickets/src/composer/Recorder.tsx',
  'mfe-tickets/src/conversation/HeldMarks.tsx',
  'mfe-tickets/src/conversation/MessageList.tsx',
  'mfe-tickets/src/dialogs/AcceptDialog.tsx',
  'mfe-tickets/src/list/VirtualList.tsx',
  'mfe-tickets/src/message/MarkBar.tsx',
  'mfe-tickets/src/search/FoundList.tsx',
]
/** Given by who has asked already. */
const ASKED_BEFORE = ['mfe-tickets/src/composer/Suggestions.tsx', 'ui/src/kit/parts/prime/PrimeSelect.tsx']
/** Where the keys of a word that begins are meant too. */
const OF_THE_PAGE = ['ui/src/actions/hold.ts', 'ui/src/actions/shortcuts.ts']

test('whoever hears Enter in a field asks whether it is for an input method, and in one way', async () => {
  const deaf: string[] = []
  const own: string[] = []
  for (const file of await Array.fromAsync(new Glob('{ui,shell,mfe-*}/src/**/*.{ts,tsx}').scan(ROOT))) {
    const text = await Bun.file(path.join(ROOT, file)).text()
    if (/['"](Numpad)?Enter['"]|\(Enter\|/.test(text) && !text.includes('isComposing(event')) deaf.push(file)
    if (text.includes('.isComposing')) own.push(file)
  }
  expect([deaf.sort(), own.sort()]).toEqual([
    [...NO_FIELD, ...ASKED_BEFORE, 'ui/src/actions/hold.ts'].sort(),
    OF_THE_PAGE,
  ])
})
