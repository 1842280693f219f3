// Every part of the kit in every state, also those that no screen uses yet: a page of its own, built from `ui/gallery`.
import { join } from 'node:path'
import type { Screen } from '../stage.ts'

const ROOT = join(import.meta.dir, '../../../..')
const PARTS = [
  'table',
  'table-chosen',
  'table-long',
  'table-more-failed',
  'table-loading',
  'table-empty',
  'table-nothing',
  'table-failed',
  'form',
  'form-docked',
  'form-elsewhere',
  'danger-small',
  'danger-great',
  'fields',
  'settings',
  'jobs',
  'job-import',
  'phone',
]

let built: Promise<string> | undefined

export const KIT: readonly Screen[] = PARTS.map(part => ({
  name: `kit-${part}`,
  as: 'nobody',
  steps: async ({ page }) => {
    built ??= build()
    const body = await built
    await page.route('https://balcao.example/**', route => route.fulfill({ contentType: 'text/html', body }))
    await page.goto(`https://balcao.example/?part=${part}`)
    await page.locator(`[data-part="${part}"], [role=dialog]`).first().waitFor({ state: 'attached' })
    await page
      .locator(WAITS[part] ?? 'body')
      .first()
      .waitFor()
  },
}))

/** What has to be there before it is looked at. */
const WAITS: Readonly<Record<string, string>> = {
  table: 'text=Adega Serra Azul',
  'table-chosen': 'text=3 escolhidos',
  'table-long': 'text=Adega Serra Azul',
  'table-more-failed': 'text=Não veio o resto.',
  'table-loading': '.b-bone',
  'table-empty': 'text=Nenhum contato ainda',
  'table-nothing': 'text=Nada com “adegga”',
  'table-failed': 'text=Os contatos não carregaram',
  form: 'text=1 campo para acertar',
  'form-elsewhere': 'text=Ver o que mudou',
  'job-import': 'text=Linha 12',
}

async function build(): Promise<string> {
  const building = Bun.spawn([process.execPath, 'ui/gallery/build.ts'], { cwd: ROOT, stderr: 'inherit' })
  if ((await building.exited) !== 0) throw new Error('The parts of the kit could not be built')
  return Bun.file(join(ROOT, 'ui/gallery/dist/index.html')).text()
}
