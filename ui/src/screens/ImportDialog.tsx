import { useAsked, useBusy } from '@balcao/ui/ask'
import { errorText, formatNumber } from '@balcao/ui/i18n'
import { Button, Dialog, Field, Icon, Select, toast } from '@balcao/ui/parts'
import { TriangleAlert } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { FileField, hasEnding } from './FileField.tsx'
import { useKitTexts } from './texts.ts'

/** What would come of a sheet, before anything is written. */
export interface SheetLook {
  readonly heads: readonly string[]
  /** The first rows, as they stand in the sheet. */
  readonly sample: readonly (readonly string[])[]
  /** Which of our columns each head is; null leaves it out. */
  readonly columns: readonly (string | null)[]
  readonly created: number
  readonly updated: number
  readonly same: number
  readonly wrong: number
  readonly faults: readonly { readonly line: number; readonly text: string }[]
}

/** What rows of a sheet can come to. */
const OUTCOMES = ['created', 'updated', 'same', 'wrong'] as const
type Outcome = (typeof OUTCOMES)[number]

interface ImportDialogProps<L extends SheetLook> {
  readonly title: string
  readonly intro?: string
  /** Which sheets are taken. */
  readonly hint?: string
  /** Beside the file: an empty sheet to begin with. */
  readonly template?: ReactNode
  /** What rows come to, where it has other names here; what has none does not happen. */
  readonly outcomes?: Readonly<Partial<Record<Outcome, string>>>
  /** Below the wrong rows: what can be done about them. */
  readonly mend?: (look: L) => ReactNode
  /** What is said where there is no file yet; else the button waits for one. */
  readonly missing?: string
  /** What a column of a sheet can be here. */
  readonly columns: readonly { readonly id: string; readonly label: string }[]
  readonly look: (file: File, columns: readonly (string | null)[] | null, signal: AbortSignal) => Promise<L>
  /** The verb with its number: 'Importar 7.944 contatos'. */
  readonly actionOf: (count: number) => string
  /** Begins a job; what is done at once says so itself (`done`), or leaves the dialog open (`false`). */
  readonly begin: (file: File, columns: readonly (string | null)[]) => Promise<unknown>
  readonly onClose: () => void
}

const SHEETS = ['xlsx', 'xls', 'csv']
const NO_FILE = { file: null, turn: 0 }

/** A sheet is looked at first: file, columns, outcome and errors on one page; then it is work that goes on by itself. */
export function ImportDialog<L extends SheetLook>(props: ImportDialogProps<L>) {
  const { title, intro, hint, template, outcomes, mend, missing, columns, look, actionOf, begin, onClose } = props
  const kit = useKitTexts()
  const [{ file, turn }, setFile] = useState<{ readonly file: File | null; readonly turn: number }>(NO_FILE)
  const [chosen, setChosen] = useState<readonly (string | null)[] | null>(null)
  const [busy, during] = useBusy()
  const isSheet = file !== null && hasEnding(file.name, SHEETS)
  const { now, last, error } = useAsked(
    isSheet ? `${turn} ${JSON.stringify(chosen)}` : null,
    async signal => file && look(file, chosen, signal),
  )
  // What is looked at with other columns stays until the answer is there, but cannot be begun.
  const seen = now ?? (isSheet && chosen && !error ? last : null)
  const fault = file && !isSheet ? kit('sheet.ending') : error ? errorText(error) : null
  const count = now ? now.created + now.updated : 0

  async function start() {
    if (!file && missing) toast.warning(missing)
    if (!file || !now) return
    const said = await begin(file, now.columns)
    if (said === false) return
    if (said !== 'done') toast.info(kit('job.begun'))
    onClose()
  }

  return (
    <Dialog
      title={title}
      intro={intro}
      width={940}
      className="is-form"
      onClose={onClose}
      onSubmit={() => during(start)}
      footer={
        <>
          <Button kind="plain" onClick={onClose}>
            {kit('cancel')}
          </Button>
          <Button type="submit" kind="primary" busy={busy} disabled={count === 0 && (file !== null || !missing)}>
            {actionOf(count)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <Field label={kit('sheet.file')} hint={hint ?? kit('sheet.hint')} error={fault} aside={template}>
          <FileField
            value={file}
            accept={SHEETS}
            isFirst
            onChange={next => {
              setFile({ file: next, turn: turn + 1 })
              setChosen(null)
            }}
          />
        </Field>
        {seen && (
          <>
            <Preview seen={seen} columns={columns} onChoose={setChosen} />
            <dl className="m-0 grid grid-cols-2 gap-3 sm:grid-cols-4" aria-label={kit('sheet.outcome')}>
              {OUTCOMES.filter(what => !outcomes || what in outcomes).map(what => (
                <div key={what} className="rounded-card border border-line px-4 py-2">
                  <dt className="text-small text-text-2">{outcomes?.[what] ?? kit(`sheet.${what}`)}</dt>
                  <dd className="m-0 text-page font-semibold">{formatNumber(seen[what])}</dd>
                </div>
              ))}
            </dl>
            <ul className="m-0 grid list-none gap-1.5 p-0 text-cell">
              {seen.faults.map(({ line, text }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a line can be wrong in two ways
                <li key={index} className="flex items-center gap-2">
                  <Icon of={TriangleAlert} size={14} className="text-danger" />
                  {kit('sheet.line', { line, text })}
                </li>
              ))}
            </ul>
            {seen.wrong > 0 && mend?.(seen)}
          </>
        )}
      </div>
    </Dialog>
  )
}

interface PreviewProps {
  readonly seen: SheetLook
  readonly columns: ImportDialogProps<SheetLook>['columns']
  readonly onChoose: (columns: readonly (string | null)[]) => void
}

/** The first rows, under heads that say what each column is. */
function Preview({ seen, columns, onChoose }: PreviewProps) {
  const kit = useKitTexts()
  const options = columns.map(({ id, label }) => ({ value: id, label }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must do so by keyboard too
    <section aria-label={kit('sheet.preview')} tabIndex={0} className="overflow-x-auto rounded-card border border-line">
      <table className="w-full border-collapse text-left text-cell">
        <thead>
          <tr>
            {seen.heads.map((head, index) => (
              <th key={head} scope="col" className="min-w-44 p-2 font-normal">
                <span className="block truncate pb-1 text-tag font-semibold text-text-2">{head}</span>
                <Select
                  label={kit('sheet.is', { head })}
                  options={options}
                  value={seen.columns[index] ?? null}
                  clearable
                  placeholder={kit('sheet.leftOut')}
                  onChange={id => onChoose(seen.columns.with(index, id))}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {seen.sample.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of a sheet have no other name
            <tr key={line} className="border-t border-line">
              {seen.heads.map((head, index) => (
                <td key={head} className="h-9 max-w-60 truncate px-2 text-text-2">
                  {row[index]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
