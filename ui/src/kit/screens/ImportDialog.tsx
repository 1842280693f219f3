import { SHEET_ENDINGS } from '@balcao/contract/kit/limits'
import { useBusy, useQuery } from '@balcao/ui/ask'
import { describeError } from '@balcao/ui/i18n'
import { Button, Checkbox, Dialog, Field, toast } from '@balcao/ui/parts'
import { type ReactNode, useState } from 'react'
import { FileField, hasEnding } from './FileField.tsx'
import { type RowOutcome, type SheetColumn, SheetFaults, SheetOutcome, SheetPreview } from './SheetParts.tsx'
import type { SheetDryRun } from './sheet-dry-run.ts'
import { useKitTexts } from './texts.ts'

interface ImportDialogProps<L extends SheetDryRun> {
  readonly title: string
  readonly intro?: string
  /** Which sheets are taken. */
  readonly hint?: string
  /** Beside the file: an empty sheet to begin with. */
  readonly template?: ReactNode
  /** What rows come to, where it has other names here; what has none does not happen. */
  readonly outcomes?: Readonly<Partial<Record<RowOutcome, string>>>
  /** Over the file: what else there is to do here. */
  readonly above?: ReactNode
  /** Below everything: what the first rows come to. */
  readonly result?: (preview: L) => ReactNode
  /** Below the wrong rows: what can be done about them. */
  readonly mend?: (preview: L) => ReactNode
  /** Saves the wrong rows as a sheet; then somebody says that they want to go on without them. */
  readonly errorsOf?: (preview: L) => (() => void) | null
  /** What is said where there is no file yet; else the button waits for one. */
  readonly missing?: string
  /** What a column of a sheet can be here. */
  readonly columns: readonly SheetColumn[]
  /** What else the look depends on: it is looked at anew when this changes. */
  readonly depends?: string
  readonly look: (file: File, columns: readonly (string | null)[] | null, signal: AbortSignal) => Promise<L>
  /** The verb with its number: 'Importar 7.944 contatos'. */
  readonly actionOf: (count: number) => string
  /** Begins a job; what is done at once says so itself (`done`), or leaves the dialog open (`false`). */
  readonly begin: (file: File, columns: readonly (string | null)[]) => Promise<unknown>
  readonly onClose: () => void
}

const NO_FILE = { file: null, turn: 0 }

/** A sheet is looked at first: file, columns, outcome and errors on one page; then it is work that goes on by itself. */
export function ImportDialog<L extends SheetDryRun>(props: ImportDialogProps<L>) {
  const { title, intro, hint, template, above, outcomes, result, mend, errorsOf } = props
  const { missing, columns, depends = '', look, actionOf, begin, onClose } = props
  const kit = useKitTexts()
  const [{ file, turn }, setFile] = useState<{ readonly file: File | null; readonly turn: number }>(NO_FILE)
  const [chosen, setChosen] = useState<readonly (string | null)[] | null>(null)
  const [busy, during] = useBusy()
  const isSheet = file !== null && hasEnding(file.name, SHEET_ENDINGS)
  const { now, last, error } = useQuery(
    isSheet ? `${turn} ${depends} ${JSON.stringify(chosen)}` : null,
    async signal => file && { turn, preview: await look(file, chosen, signal) },
  )
  const current = now?.preview ?? null
  // What is looked at in another way stays until the answer is there, but cannot be begun.
  const seen = current ?? (isSheet && last?.turn === turn && !error ? last.preview : null)
  const fault = file && !isSheet ? kit('sheet.ending') : error ? describeError(error) : null
  const count = current ? current.created + current.updated : 0
  const [without, setWithout] = useState(true)
  const asks = errorsOf !== undefined && seen !== null && seen.wrong > 0

  async function start() {
    if (!file && missing) toast.warning(missing)
    if (!file || !current) return
    const failure = await begin(file, current.columns)
    if (failure === false) return
    if (failure !== 'done') toast.info(kit('job.begun'))
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
          {asks && (
            <Checkbox checked={without} onChange={setWithout} className="mr-auto">
              {kit('sheet.without', { count: seen.wrong })}
            </Checkbox>
          )}
          <Button kind="plain" onClick={onClose}>
            {kit('cancel')}
          </Button>
          <Button
            type="submit"
            kind="primary"
            busy={busy}
            disabled={(count === 0 && (file !== null || !missing)) || (asks && !without)}
          >
            {actionOf(count)}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        {above}
        <Field label={kit('sheet.file')} hint={hint ?? kit('sheet.hint')} error={fault} aside={template}>
          <FileField
            value={file}
            accept={SHEET_ENDINGS}
            isFirst
            onChange={next => {
              setFile({ file: next, turn: turn + 1 })
              setChosen(null)
            }}
          />
        </Field>
        {seen && (
          <>
            <SheetPreview seen={seen} columns={columns} chosen={chosen ?? seen.columns} onChoose={setChosen} />
            <SheetOutcome seen={seen} names={outcomes} />
            <SheetFaults seen={seen} save={errorsOf?.(seen) ?? null} />
            {mend?.(seen)}
            {result?.(seen)}
          </>
        )}
      </div>
    </Dialog>
  )
}
