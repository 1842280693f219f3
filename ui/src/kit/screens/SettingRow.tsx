import { findSearchMarks } from '@balcao/contract/kit/search'
import { Button, Icon, joinClasses, StatusPill } from '@balcao/ui/parts'
import { Check, ChevronDown, EyeOff, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useKitTexts } from './texts.ts'

interface SettingRowProps {
  readonly name: string
  /** What it does, in one line. */
  readonly hint: string
  /** Who changed it last, and the default where it differs. */
  readonly since?: string | undefined
  /** Words of a search, which are marked where they stand. */
  readonly marked?: readonly string[]
  /** 'Salvo às 14:31'. */
  readonly saved?: string | undefined
  /** The control at the right; what is wider stands `below`. */
  readonly children?: (ids: { readonly 'aria-labelledby': string; readonly 'aria-describedby': string }) => ReactNode
  readonly below?: ReactNode
  /** What would change for whom, before anything is written. */
  readonly dryRun?: DryRun | undefined
}

interface DryRun {
  readonly text: ReactNode
  readonly icon?: LucideIcon
  /** Each of whom it would change something for. */
  readonly people?: ReactNode
  readonly action: string
  readonly busy?: boolean
  readonly onKeep: () => void
  readonly onChange: () => void
}

/** A setting: name, consequence, who changed it; its control at the right; under it the dry run while one is pending. Lines between rows are the list's. */
export function SettingRow(props: SettingRowProps) {
  const { name, hint, since, marked = [], saved, children, below, dryRun } = props
  const kit = useKitTexts()
  const id = useId()
  return (
    <div className="px-5 py-3">
      {/* Where both do not fit beside each other the control stands below. */}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-52">
          <p id={id} className="m-0 text-body text-ink">
            <Marked text={name} words={marked} />
          </p>
          <p id={`${id}-hint`} className="m-0 text-small text-muted">
            <Marked text={hint} words={marked} />
            {since && <span className="text-text-2"> {since}</span>}
          </p>
        </div>
        <span className={joinClasses('flex-none text-small text-ok', !saved && 'b-only-read')} role="status">
          {saved && (
            <span className="flex items-center gap-1.5">
              <Icon of={Check} size={14} />
              {saved}
            </span>
          )}
        </span>
        {children && (
          <span className="ml-auto flex max-w-full items-center gap-4">
            {dryRun && <StatusPill kind="busy">{kit('dryRun.pill')}</StatusPill>}
            <span
              className={joinClasses(
                'flex min-w-0 items-center gap-3',
                dryRun && 'rounded-field bg-primary-tint p-1 ring-1 ring-primary',
              )}
            >
              {children({ 'aria-labelledby': id, 'aria-describedby': `${id}-hint` })}
            </span>
          </span>
        )}
      </div>
      {below && <div className="mt-2">{below}</div>}
      {dryRun && <Trial {...dryRun} />}
    </div>
  )
}

/** The strip of a dry run: what, whom, and the two ways on. */
function Trial({ text, icon = EyeOff, people, action, busy, onKeep, onChange }: DryRun) {
  const kit = useKitTexts()
  const [shown, show] = useState(false)
  return (
    <div className="mt-2.5 overflow-hidden rounded-field border border-primary text-cell">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-primary-tint px-3.5 py-2">
        <Icon of={icon} size={20} />
        <strong className="min-w-0 flex-1 basis-52 font-semibold text-ink" role="status">
          {text}
        </strong>
        {people && (
          <Button size="small" kind="plain" aria-expanded={shown} onClick={() => show(!shown)}>
            <span className="flex items-center gap-1.5">
              {kit('dryRun.who')}
              <span className={joinClasses('transition-transform', shown && 'rotate-180')}>
                <Icon of={ChevronDown} size={14} />
              </span>
            </span>
          </Button>
        )}
      </div>
      {shown && <div className="border-t border-line px-3.5 py-2.5">{people}</div>}
      <div className="flex flex-wrap items-center gap-2 border-t border-line bg-primary-tint px-3.5 py-2">
        <span className="min-w-0 flex-1 basis-52 text-small text-text-2">{kit('dryRun.only')}</span>
        <Button size="small" kind="plain" onClick={onKeep}>
          {kit('dryRun.keep')}
        </Button>
        <Button size="small" kind="primary" busy={busy} onClick={onChange}>
          {action}
        </Button>
      </div>
    </div>
  )
}

/** The words of a search stand out where they are found. */
export function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  const marks = findSearchMarks(text, words)
  return (
    <>
      {marks.map(([from, to], at) => (
        <span key={from}>
          {text.slice(marks[at - 1]?.[1] ?? 0, from)}
          <mark className="rounded-tag bg-primary-tint font-semibold text-primary-text">{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1] ?? 0)}
    </>
  )
}
