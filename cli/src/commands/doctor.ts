// How the installation is doing, and what to do (docs/decisions/0232): what is wrong, and with `--all` also what is well.
import type { CheckUp, Finding } from '@balcao/contract'
import { describeFinding } from '@balcao/contract/doctor/finding-texts'
import en from '../../locales/doctor/en.json'
import es from '../../locales/doctor/es.json'
import pt from '../../locales/doctor/pt.json'
import { type CommandContext, defineCommand } from '../kit/command.ts'
import { DOCTOR_TEXTS } from '../kit/pages.ts'
import { toSafeLine } from '../kit/text.ts'
import { createTexts } from '../kit/texts.ts'

export const doctor = defineCommand({
  name: 'doctor',
  texts: { pt, en, es },
  options: { all: '--all' },
  async run(call) {
    const { out, t, desk, during, options } = call
    const { api } = await desk()
    const checkUp = await during(t('checking'), api('GET /doctor'))
    const wrong = checkUp.findings.filter(({ level }) => level === 'danger' || level === 'warning')
    out.answer(checkUp, () => {
      show(call, checkUp, options.all)
      if (wrong.length === 0) out.done(t('well'))
      else out.say(t('wrong', { count: wrong.length }), 'warn')
    })
    return wrong.length === 0 ? 0 : 1
  },
})

/** A colour never stands alone. */
const MARKS = { danger: ['✗', 'bad'], warning: ['!', 'warn'], unknown: ['?', 'muted'], ok: ['✓', 'good'] } as const

function show({ out, language }: Pick<CommandContext, 'out' | 'language'>, { findings }: CheckUp, all: boolean) {
  const page = createTexts(language, DOCTOR_TEXTS)
  const texts = { language, has: (key: string) => page(key) !== key, say: page }
  for (const area of new Set(findings.map(each => each.area))) {
    const shown = findings.filter(each => each.area === area && (all || each.level !== 'ok'))
    if (shown.length === 0) continue
    out.line(out.paint(page(`area.${area}`), 'strong'))
    for (const finding of shown) say(finding)
  }

  function say(finding: Finding) {
    const { sentence, todo } = describeFinding(finding, texts)
    const [mark, tone] = MARKS[finding.level]
    out.say(`  ${mark} ${toSafeLine(sentence)}`, tone)
    if (todo !== null) out.say(`    → ${toSafeLine(todo)}`)
  }
}
