// The table of settings in docs/operating.md is made from the contract and the words of the page: `UPDATE_DOCS=1 bun test` writes it.
import { expect, test } from 'bun:test'
import path from 'node:path'
import { SETTINGS, toSettingTexts } from '@balcao/contract/settings/settings'
import connections from '../locales/connections/pt.json'
import words from '../locales/settings/en.json'
import { GROUPS } from '../src/settings/items.ts'

const FILE = path.join(import.meta.dirname, '../../docs/operating.md')
const PLACE = /<!-- settings -->\n[\s\S]*?<!-- end of settings -->/
const SET: Readonly<Record<string, { readonly name: string; readonly hint?: string }>> = words.set
const MOST = 60

test('the table of settings says of every setting what it does and how it comes', async () => {
  const doc = await Bun.file(FILE).text()
  const table = `<!-- settings -->\n${listSettingsTable()}\n<!-- end of settings -->`
  if (process.env.UPDATE_DOCS)
    await Bun.write(
      FILE,
      doc.replace(PLACE, () => table),
    )
  else expect(PLACE.exec(doc)?.[0]).toBe(table)
  for (const key of Object.keys(SETTINGS)) expect(table).toContain(`\`${key}\``)
})

test('what is tried in the form of a connection is called the same in the docs', async () => {
  const name = connections.form.sectionTry
  expect(await Bun.file(FILE).text()).toContain(`*${name}* beside them plays a conversation`)
})

function listSettingsTable(): string {
  const rows = GROUPS.flatMap(group =>
    group.items
      .filter(({ keys }) => keys.length > 0)
      .map(({ id, keys }) => {
        const { name = '', hint = '' } = SET[id] ?? {}
        return `| ${keys.map(key => `\`${key}\``).join(', ')} | ${name} | ${hint} | ${keys.map(formatDefault).join(', ')} |`
      }),
  )
  return ['| key | setting | what happens | as it comes |', '|---|---|---|---|', ...rows].join('\n')
}

function formatDefault(key: keyof typeof SETTINGS): string {
  const [[, text] = [key, '']] = toSettingTexts({ [key]: SETTINGS[key].default })
  if (text === '' || text === '[]') return 'nothing'
  return text.length > MOST ? `‘${text.slice(0, MOST)}…’` : text
}
