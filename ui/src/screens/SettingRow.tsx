import { Button, StatusPill } from '@balcao/ui/parts'
import { type ReactNode, useId } from 'react'
import { useKitTexts } from './texts.ts'

interface SettingRowProps {
  readonly name: string
  /** What it does, in one line. */
  readonly hint: string
  /** Who changed it last, and the default where it differs. */
  readonly since?: string
  /** Words of the search, which are marked in the name. */
  readonly search?: string
  /** 'Salvo às 14:31', or why it was not. */
  readonly saved?: string
  readonly children: (ids: { readonly 'aria-labelledby': string; readonly 'aria-describedby': string }) => ReactNode
  /** What would change for whom, before anything is written. */
  readonly dryRun?: {
    readonly text: ReactNode
    readonly action: string
    readonly busy?: boolean
    readonly onSee?: () => void
    readonly onKeep: () => void
    readonly onChange: () => void
  }
}

/** A setting: name, consequence, who changed it; its control at the right; under it the dry run while one is pending. */
export function SettingRow({ name, hint, since, search, saved, children, dryRun }: SettingRowProps) {
  const kit = useKitTexts()
  const id = useId()
  return (
    <div className="border-b border-line px-4 py-3">
      <div className="flex items-center gap-4 max-sm:flex-wrap">
        <div className="min-w-0 flex-1">
          <p id={id} className="m-0 text-body text-ink">
            <Marked text={name} search={search} />
          </p>
          <p id={`${id}-hint`} className="m-0 text-small text-text-2">
            {hint}
          </p>
          {since && <p className="m-0 text-small text-muted">{since}</p>}
        </div>
        <span className="text-small text-muted" role="status">
          {saved}
        </span>
        <span className={dryRun && 'rounded-field bg-primary-tint p-1.5 ring-1 ring-primary'}>
          {children({ 'aria-labelledby': id, 'aria-describedby': `${id}-hint` })}
        </span>
      </div>
      {dryRun && (
        <div
          className="mt-2.5 flex flex-wrap items-center gap-2 rounded-field bg-primary-tint px-3 py-2 text-cell"
          role="status"
        >
          <StatusPill kind="busy">{kit('dryRun.pill')}</StatusPill>
          <span className="min-w-0 flex-1 basis-52">{dryRun.text}</span>
          {dryRun.onSee && (
            <Button size="small" kind="plain" onClick={dryRun.onSee}>
              {kit('dryRun.who')}
            </Button>
          )}
          <Button size="small" onClick={dryRun.onKeep}>
            {kit('dryRun.keep')}
          </Button>
          <Button size="small" kind="primary" busy={dryRun.busy} onClick={dryRun.onChange}>
            {dryRun.action}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The words of a search stand out where they are found. */
function Marked({ text, search }: { readonly text: string; readonly search: string | undefined }) {
  const at = search ? text.toLowerCase().indexOf(search.toLowerCase()) : -1
  if (!search || at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className="rounded-tag bg-primary-tint text-inherit">{text.slice(at, at + search.length)}</mark>
      {text.slice(at + search.length)}
    </>
  )
}
