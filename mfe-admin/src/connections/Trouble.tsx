import type { Connection } from '@balcao/contract'
import { useTexts } from '@balcao/ui/i18n'
import { classes } from '@balcao/ui/parts'
import { troubleText } from './trouble.ts'

interface TroubleProps {
  readonly connection: Connection
  readonly now: number
}

/** Why it is down, what happens next, and how many messages wait meanwhile. Nothing where nothing is wrong. */
export function Trouble({ connection, now }: TroubleProps) {
  const t = useTexts('admin')
  const trouble = troubleText(connection, t, now)
  if (!trouble) return null
  return (
    <p
      className={classes(
        'mt-3 rounded-field px-3 py-2 text-cell',
        trouble.serious ? 'bg-danger-tint text-ink' : 'bg-brass-tint text-ink',
      )}
    >
      <strong className="font-semibold">{trouble.what}</strong>
      {trouble.next && <> {trouble.next}</>}
      {trouble.waiting && <span className="text-text-2"> {trouble.waiting}</span>}
    </p>
  )
}
