import type { MoveIn } from '@balcao/contract'
import { MOVE_IN_NAMES } from '@balcao/contract/move-in/move-in'
import { formatDate, useTexts } from '@balcao/ui/i18n'
import { StatusPill } from '@balcao/ui/parts'
import { STATE_LOOKS } from './Move.tsx'
import { Undo } from './Undo.tsx'

interface EarlierProps {
  readonly moves: readonly MoveIn[]
  readonly again: () => void
}

const UNDOABLE: readonly MoveIn['state'][] = ['uploading', 'ready', 'stopped', 'done', 'undoStopped']

/** Moves of before: each can be taken back as long as nobody has worked on what came. */
export function Earlier({ moves, again }: EarlierProps) {
  const t = useTexts('move-in')
  return (
    <section>
      <h2 className="m-0 mb-2 text-body font-semibold text-ink">{t('earlier')}</h2>
      <ul className="b-card m-0 list-none p-0">
        {moves.map(move => (
          <li
            key={move.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4.5 py-3 first:border-t-0"
          >
            <span className="min-w-0 flex-1 basis-60 text-cell text-ink">
              {t('of', { source: MOVE_IN_NAMES[move.source], day: formatDate(move.createdAt) })}
            </span>
            <StatusPill kind={STATE_LOOKS[move.state]}>{t(`state.${move.state}`)}</StatusPill>
            {UNDOABLE.includes(move.state) && <Undo move={move} again={again} />}
          </li>
        ))}
      </ul>
    </section>
  )
}
