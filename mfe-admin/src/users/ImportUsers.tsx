import type { ResponseBody } from '@balcao/contract'
import pt from '@balcao/contract/texts/user-sheets/pt.json'
import { USER_COLUMNS } from '@balcao/contract/users/rules'
import { api, upload } from '@balcao/ui/api'
import { reportErrors } from '@balcao/ui/ask'
import { makeId, saveFile } from '@balcao/ui/browser'
import { describeFault } from '@balcao/ui/catalogue'
import { addTexts, describeError, getLanguage, useTexts } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { ImportDialog, type SheetDryRun } from '@balcao/ui/screens'
import { useUser } from '@balcao/ui/session'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { keepPasswords } from './ImportedPasswords.tsx'

addTexts('user-sheets', {
  pt,
  en: () => import('@balcao/contract/texts/user-sheets/en.json'),
  es: () => import('@balcao/contract/texts/user-sheets/es.json'),
})

type ImportResult = ResponseBody<'POST /users/import/:userId'>
type SheetFile = NonNullable<ImportResult['errorSheet']>

/** Where the passwords are shown. */
const USERS_PATH = '/users'

interface UserSheetDryRun extends SheetDryRun {
  readonly errorSheet: SheetFile | null
}

/** People by sheet (spec 2 §2, decisions §3): a look first; wrong rows stay out, and can be had as a sheet. */
export function ImportUsers({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts('users')
  const sheet = useTexts('user-sheets')
  const { id: userId } = useUser()
  const navigate = useNavigate()
  // An import whose answer was lost is repeated by the same button, and says again what it gave.
  const [clientId] = useState(makeId)
  const columns = USER_COLUMNS.map(id => ({ id, label: sheet(`column.${id}`) }))

  function send(file: File, chosen: readonly (string | null)[] | null, how: object, signal?: AbortSignal) {
    const body = new FormData()
    body.set('medias', file, file.name)
    if (chosen) body.set('columns', JSON.stringify(chosen))
    body.set('clientId', clientId)
    const partial = 'true'
    return upload('POST /users/import/:userId', {
      params: { userId },
      query: { partial, language: getLanguage(), ...how },
      body,
      signal,
    })
  }

  async function preview(
    file: File,
    chosen: readonly (string | null)[] | null,
    signal: AbortSignal,
  ): Promise<UserSheetDryRun> {
    const found = await send(file, chosen, { preview: 'true' }, signal)
    return {
      heads: found.columns.map(({ head }) => head),
      columns: found.columns.map(({ field }) => field),
      sample: found.rows,
      ...{ created: found.imported, updated: 0, same: found.skipped },
      wrong: new Set(found.errors.map(({ row }) => row)).size,
      faults: found.errors.map(({ row, field, error, message }) => ({
        ...{ line: row, text: field ? `${sheet(`column.${field}`)}: ${message}` : message },
        isHeading: error === 'columnMissing',
      })),
      errorSheet: found.errorSheet,
    }
  }

  async function begin(file: File, chosen: readonly (string | null)[]) {
    try {
      const count = await keepPasswords(() => send(file, chosen, {}))
      const isElsewhere = count > 0 && location.pathname !== USERS_PATH
      const action = { label: t('import.show', { count }), perform: () => void navigate(USERS_PATH) }
      toast.success(t('import.done'), isElsewhere ? { action } : {})
      return 'done'
    } catch (error) {
      toast.error(`${t('import.failed')} ${describeError(error)}`)
    }
    return false
  }

  const template = () => reportErrors(async () => saveFile(await api('GET /users/import/template')))
  return (
    <ImportDialog
      title={t('import.title')}
      intro={t('import.intro')}
      hint={t('import.hint')}
      template={
        <button type="button" className="b-link" onClick={() => void template()}>
          {t('import.template')}
        </button>
      }
      columns={columns}
      outcomes={{ created: t('import.created'), same: t('import.same'), wrong: t('import.wrong') }}
      missing={describeFault('call.importFile')}
      mend={({ errorSheet, wrong }) =>
        wrong > 0 && (
          <p className="m-0 flex flex-wrap items-center gap-3 rounded-field bg-brass-tint px-3 py-2 text-cell text-brass-text">
            {t('import.mend')}
            {errorSheet && (
              <Button size="small" icon={Download} onClick={() => saveFile(errorSheet)}>
                {t('import.errors')}
              </Button>
            )}
          </p>
        )
      }
      look={preview}
      actionOf={count => t(count > 0 ? 'import.action' : 'import.plain', { count })}
      begin={begin}
      onClose={onClose}
    />
  )
}
