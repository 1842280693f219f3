// What the rows of a list are added, changed and deleted with.

import type { FieldRules } from '@balcao/contract/kit/forms'
import { type ApiError, isApiError } from '@balcao/ui/api'
import { getTexts, useTexts } from '@balcao/ui/i18n'
import { toast } from '@balcao/ui/parts'
import { Pencil, Trash2 } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import type { ListRow } from '../../rows/index.ts'
import { ConfirmDanger } from './ConfirmDanger.tsx'
import type { RowAction } from './column.ts'
import { type FormOptions, type NoRules, useForm } from './use-form.ts'
import { type RowLookup, useRow } from './use-rows.ts'

/** What the form of a row is drawn with: the row to change, or null to add one. */
export interface RowFormProps<R extends ListRow> extends Omit<RowDialogProps<R>, 'row'> {
  readonly row: R | null
}

/** What a dialog about a row is drawn with. */
export interface RowDialogProps<R extends ListRow> {
  readonly row: R
  readonly rows: RowList<R>
  readonly onClose: () => void
}

/** As much of `useRows` as a form needs. */
interface RowList<R extends ListRow> extends RowLookup<R> {
  readonly isGone: (id: number) => boolean
  readonly put: (row: R) => void
  readonly drop: (id: number) => void
}

export interface RowDialogs<R extends ListRow> {
  readonly texts: string
  readonly rows: RowList<R>
  readonly nameOf: (row: R) => string
  /** Adds and changes rows; who may do neither has none. */
  readonly form?: ComponentType<RowFormProps<R>>
  /** Deletes a row, once it was asked: the texts `confirm.*` with its `name`. `already`: a colleague was faster. */
  readonly remove?: { readonly call: (id: number) => Promise<unknown>; readonly already: ApiError['code'] }
  /** Rows that are always there: nobody changes or deletes them. */
  readonly isFixed?: (row: R) => boolean
  /** In place of `remove`, where more has to be said before a row is deleted. */
  readonly removal?: ComponentType<RowDialogProps<R>>
}

/** The actions and dialogs that `form` and `remove` bring. */
export function useRowDialogs<R extends ListRow>({
  texts,
  rows,
  nameOf,
  form: RowForm,
  remove,
  removal: Removal,
  isFixed = () => false,
}: RowDialogs<R>) {
  const words = useTexts(texts)
  const [edited, edit] = useState<R | 'new' | null>(null)
  const [doomed, doom] = useState<R | null>(null)
  const actions: RowAction<R>[] = []
  const when = (row: R) => !isFixed(row)
  if (RowForm) actions.push({ id: 'edit', icon: Pencil, when, perform: edit })
  if (remove || Removal) actions.push({ id: 'remove', icon: Trash2, danger: true, when, perform: doom })
  return {
    actions,
    onAdd: RowForm && (() => edit('new')),
    dialogs: (
      <>
        {RowForm && edited && <RowForm row={edited === 'new' ? null : edited} rows={rows} onClose={() => edit(null)} />}
        {Removal && doomed && <Removal row={doomed} rows={rows} onClose={() => doom(null)} />}
        {remove && doomed && (
          <ConfirmDanger
            title={words('confirm.title', { name: nameOf(doomed) })}
            text={words('confirm.text')}
            action={words('confirm.action')}
            done={words('removed')}
            already={remove.already}
            onConfirm={() => remove.call(doomed.id)}
            onDone={() => rows.drop(doomed.id)}
            onClose={() => doom(null)}
          />
        )}
      </>
    ),
  }
}

type RowFormOptions<F extends object, R extends ListRow, S extends FieldRules> = RowFormProps<R> &
  Omit<FormOptions<F, R, S>, 'start' | 'now' | 'version' | 'isGone' | 'isNew' | 'onSaved'> & {
    readonly fieldsOf: (row: R | null) => F
  }

/** What the form of a row goes on from: the row as it was opened, and as it stands now, be it listed or not. */
export function useRowState<F extends object, R extends ListRow>(
  row: R | null,
  rows: RowList<R>,
  fieldsOf: (row: R | null) => F,
) {
  const now = useRow(rows, row?.id ?? null)
  return {
    start: fieldsOf(row),
    now: now && fieldsOf(now),
    version: (now ?? row)?.version,
    isGone: row !== null && rows.isGone(row.id),
    isNew: row === null,
  }
}

/**
 * The state of a row's form: saved it stands in the list, says so (the text `saved`) and is closed. What a colleague saved meanwhile comes
 * live, or with the refusal (`ERR_CHANGED_MEANWHILE`).
 */
export function useRowForm<F extends object, R extends ListRow, S extends FieldRules = NoRules>({
  row,
  rows,
  onClose,
  fieldsOf,
  ...options
}: RowFormOptions<F, R, S>) {
  return useForm<F, R, S>({
    keptAs: `${options.texts}/${row?.id ?? 'new'}`,
    ...options,
    ...useRowState(row, rows, fieldsOf),
    save: (...values) =>
      options.save(...values).catch((error: unknown) => {
        // The refusal brings the row as it is now.
        if (isApiError(error, 'ERR_CHANGED_MEANWHILE')) rows.put(error.details as R)
        throw error
      }),
    onSaved(saved) {
      rows.put(saved)
      toast.success(getTexts(options.texts)('saved'))
      onClose()
    },
  })
}
