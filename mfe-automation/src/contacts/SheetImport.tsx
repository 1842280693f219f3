import { isAreaCode } from '@balcao/contract/contacts/phone'
import { reportErrors } from '@balcao/ui/ask'
import { saveFile } from '@balcao/ui/browser'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, useTexts } from '@balcao/ui/i18n'
import { Button, Checkbox, Field, TextInput, toast } from '@balcao/ui/parts'
import { ImportDialog, type SheetColumn } from '@balcao/ui/screens'
import { Download } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { ContactsToBe } from './ContactsToBe.tsx'
import { fetchSheetTemplate, previewSheet, startImport } from './sheet.ts'

interface SheetImportProps {
  readonly call: 'POST /contacts/import' | 'POST /contacts/delegation'
  /** Where its words stand. */
  readonly name: 'import' | 'delegation'
  readonly columns: readonly SheetColumn[]
  readonly above?: ReactNode
  readonly onClose: () => void
}

/** The dialog of both kinds of sheets. */
export function SheetImport({ call, name, columns, above, onClose }: SheetImportProps) {
  const t = useTexts('contact-sheets')
  const [areaCode, setAreaCode] = useState('')
  const [allNumbers, setAllNumbers] = useState(false)
  // While it is typed the sheet is read without one.
  const whole = isAreaCode(areaCode) ? areaCode : ''

  async function begin(file: File, chosen: readonly (string | null)[]) {
    try {
      await startImport(call, file, { columns: chosen, areaCode: whole, allNumbers })
    } catch (error) {
      toast.error(`${t('failed')} ${describeError(error)}`)
      return false
    }
  }

  return (
    <ImportDialog
      title={t(`${name}.title`)}
      intro={t('intro')}
      above={above}
      template={
        <Button
          kind="plain"
          icon={Download}
          onClick={() => void reportErrors(async () => saveFile(await fetchSheetTemplate(call)))}
        >
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
      missing={describeFault('call.importFile')}
      depends={allNumbers ? `${whole} all` : whole}
      look={(file, chosen, signal) =>
        previewSheet(call, file, { columns: chosen, areaCode: whole, allNumbers }, signal)
      }
      result={({ contacts, several }) => (
        <>
          {several > 0 && (
            <Checkbox checked={allNumbers} onChange={setAllNumbers}>
              {t('several', { count: several })}
            </Checkbox>
          )}
          <ContactsToBe contacts={contacts} />
        </>
      )}
      mend={({ lacksAreaCode }) =>
        (lacksAreaCode || areaCode !== '') && (
          <Field
            label={t('areaCode.label')}
            hint={t('areaCode.hint')}
            error={areaCode.length === 2 && whole === '' ? t('areaCode.wrong') : null}
          >
            <TextInput
              value={areaCode}
              inputMode="numeric"
              maxLength={2}
              className="w-24"
              onChange={text => setAreaCode(text.replace(/\D/g, ''))}
            />
          </Field>
        )
      }
      errorsOf={({ errorSheet }) => errorSheet && (() => saveFile(errorSheet))}
      actionOf={count => t(count > 0 ? `${name}.action` : `${name}.plain`, { count })}
      begin={begin}
      onClose={onClose}
    />
  )
}
