import { type FirstSteps, TRADES, type Trade } from '@balcao/contract/first-steps/first-steps'
import { api } from '@balcao/ui/api'
import { describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'

interface PresetProps {
  readonly steps: FirstSteps
  readonly again: () => void
}

/** Queues, quick answers, questions and tags as a company of a trade may begin with. */
export function Preset({ steps, again }: PresetProps) {
  const t = useTexts('first-steps')
  const [busy, setBusy] = useState<Trade | 'remove' | null>(null)
  // What the call answered stands until the page has asked anew: nothing that is done already can be pressed.
  const [answer, setAnswer] = useState<{ readonly to: FirstSteps; readonly now: FirstSteps } | null>(null)
  const choices = useRef<HTMLDivElement>(null)
  const { trade, preset } = answer?.to === steps ? answer.now : steps
  async function run(task: Trade | 'remove', call: () => Promise<FirstSteps>) {
    setBusy(task)
    try {
      const now = await call()
      flushSync(() => {
        setAnswer({ to: steps, now })
        setBusy(null)
      })
      // The pressed button has made room for what can be pressed next.
      if (document.activeElement === document.body) choices.current?.querySelector('button')?.focus()
      again()
    } catch (error) {
      setBusy(null)
      toast.error(describeError(error))
    }
  }
  const choose = (chosen: Trade) =>
    run(chosen, () => api('POST /first-steps/preset', { body: { trade: chosen, language: getLanguage() } }))
  return (
    <section className="b-card px-5 py-4 max-sm:px-4" aria-labelledby="first-steps-preset">
      <h2 id="first-steps-preset" className="m-0 text-body font-semibold text-ink">
        {t('preset.title')}
      </h2>
      <p className="m-0 mt-0.5 mb-3 text-cell text-text-2">
        {trade === null ? t('preset.text') : t('preset.there', { trade: t(`trade.${trade}`), count: preset })}
      </p>
      <div ref={choices} className="flex flex-wrap gap-2">
        {trade === null ? (
          TRADES.map(each => (
            <Button key={each} busy={busy === each} disabled={busy !== null} onClick={() => void choose(each)}>
              {t(`trade.${each}`)}
            </Button>
          ))
        ) : (
          <Button busy={busy === 'remove'} onClick={() => void run('remove', () => api('DELETE /first-steps/preset'))}>
            {t(preset > 0 ? 'preset.remove' : 'preset.another')}
          </Button>
        )}
      </div>
    </section>
  )
}
