import { told } from '@balcao/ui/ask'
import { saveFile } from '@balcao/ui/browser'
import { errorText, useTexts } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import { ImportDialog } from '@balcao/ui/screens'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { beginWith, lookAt, templateOf } from './sheet.ts'

interface SheetImportProps {
  readonly call: 'POST /contacts/import' | 'POST /contacts/delegation'
  /** Where its words stand. */
  readonly name: 'import' | 'delegation'
  readonly columns: readonly { readonly id: string; readonly label: string }[]
  readonly above?: ReactNode
  readonly onClose: () => void
}

/** The dialog of both kinds of sheets. */
export function SheetImport({ call, name, columns, above, onClose }: SheetImportProps) {
  const t = useTexts('contact-sheets')

  async function begin(file: File, chosen: readonly (string | null)[]) {
    try {
      await beginWith(call, file, chosen)
    } catch (error) {
      toast.error(`${t('failed')} ${errorText(error)}`)
      return false
    }
  }

  return (
    <ImportDialog
      title={t(`${name}.title`)}
      intro={t('intro')}
      above={above}
      template={
        <Button kind="plain" icon={Download} onClick={() => void told(async () => saveFile(await templateOf(call)))}>
          {t('template')}
        </Button>
      }
      columns={columns}
      outcomes={{
        created: t(`${name}.created`),
        updated: t(`${name}.updated`),
        same: t(`${name}.same`),
        wrong: t(`${name}.wrong`),
      }}
      missing={t('missing')}
      look={(file, chosen, signal) => lookAt(call, file, chosen, signal)}
      errorsOf={({ errorSheet }) => errorSheet && (() => saveFile(errorSheet))}
      actionOf={count => t(count > 0 ? `${name}.action` : `${name}.plain`, { count })}
      begin={begin}
      onClose={onClose}
    />
  )
}
