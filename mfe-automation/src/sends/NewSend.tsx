import { KIND_TABLE } from '@balcao/contract/connections/kinds'
import { isApiError, upload } from '@balcao/ui/api'
import { showErrorToast, useConnections, useTags } from '@balcao/ui/ask'
import { describeFault } from '@balcao/ui/catalogue'
import { describeError, formatNumber, useTexts } from '@balcao/ui/i18n'
import { Button, ConfirmDialog, Field, IconButton, Select, toast, useNow } from '@balcao/ui/parts'
import { useNavigate } from '@balcao/ui/router'
import { MadeBefore, useForm } from '@balcao/ui/screens'
import { useSetting } from '@balcao/ui/session'
import { ArrowLeft } from 'lucide-react'
import { useState } from 'react'
import { Arrives } from './Arrives.tsx'
import { AudienceCard } from './AudienceCard.tsx'
import { EMPTY, findConnection, toFormData, validateFields } from './form.ts'
import { MessageCard } from './MessageCard.tsx'
import { RiskCard, RiskMark } from './RiskCard.tsx'
import { TemplateCard } from './TemplateCard.tsx'
import { TestSend } from './TestSend.tsx'
import { usePreview } from './use-preview.ts'
import { describeStart } from './words.ts'

const MINUTE_MS = 60_000
/** What may cost the number is asked about; what may not is only said. */
const HIGHEST_RISK = 5

/** A new mass send (spec 3 §2): what it says, to whom, how fast, how risky, and how it arrives, before anything goes out. */
export function NewSend() {
  const t = useTexts('sends')
  const navigate = useNavigate()
  const word = useSetting('optOutWord')
  const tags = useTags(showErrorToast).last ?? []
  const { last: connections, again: lookAtConnections } = useConnections(showErrorToast)
  const [leaving, leave] = useState(false)
  const [doubting, doubt] = useState(false)
  const [isTrying, setTrying] = useState(false)
  const [number, setNumber] = useState('')
  const form = useForm({
    texts: 'sends',
    keptAs: 'sends/new',
    start: EMPTY,
    isNew: true,
    faultsOf: fields => validateFields(fields, word, connections),
    atOnce: ['whatsappId', 'media'],
    fieldOf: { ERR_FILE_TYPE: 'media', ERR_FILE_TOO_LARGE: 'media', ERR_NO_WAPP_FOUND: 'whatsappId' },
    async save(fields, progress, _version, clientId) {
      try {
        return await upload('POST /envioMassa', { body: toFormData(fields, word, connections, clientId), ...progress })
      } catch (error) {
        // The connection may be the one that is gone: the others are offered.
        if (isApiError(error, 'ERR_NO_WAPP_FOUND')) lookAtConnections()
        throw error
      }
    },
    onSaved({ id }) {
      toast.success(t('saved'))
      void navigate(`/envios/${id}`, { replace: true })
    },
  })
  const { fields } = form
  const connection = findConnection(connections ?? [], fields.whatsappId)
  const outlook = usePreview(fields, word, connections)
  const { preview, isNow, isReady, error, again } = outlook
  const now = new Date(useNow(MINUTE_MS))
  const isHigh = isReady && preview?.risk.level === HIGHEST_RISK
  const wrong = validateFields(fields, word, connections)
  const lost = form.errorOf('whatsappId')
  const problem = lost ?? form.failure
  const maySay = [wrong.mensagem, wrong.media, wrong.template, wrong.whatsappId].every(fault => fault === undefined)
  function back() {
    // Discarded while its file goes up it would begin all the same.
    if (form.stopUpload) form.stopUpload()
    else if (form.changed > 0) leave(true)
    else void navigate('/envios')
  }
  return (
    <form
      data-form-page=""
      className="flex h-full min-h-0 flex-col"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (isHigh) doubt(true)
        else form.submit()
      }}
    >
      <div className="b-page min-h-0 flex-1" ref={form.box}>
        <header className="mb-4 flex items-center gap-2">
          <IconButton icon={ArrowLeft} label={t('backToList')} onClick={back} />
          {/* On a phone too: the bar says only where it belongs. */}
          <h1 className="m-0 py-1 text-page font-semibold tracking-[-0.019em]">{t('form.addTitle')}</h1>
        </header>
        <div className="flex flex-wrap items-start gap-6">
          <div className="grid min-w-0 flex-1 basis-[440px] gap-3 lg:max-w-[744px]">
            <MessageCard form={form} word={word} />
            {connection && KIND_TABLE[connection.api].can.templates && (
              <TemplateCard key={connection.id} form={form} whatsappId={connection.id} />
            )}
            <AudienceCard form={form} tags={tags} outlook={outlook} />
            <RiskCard form={form} outlook={outlook}>
              {connections && (connections.length > 1 || lost !== null) && (
                <Field label={t('form.whatsappId')} error={lost}>
                  <Select
                    options={connections.map(({ id, name }) => ({ value: id, label: name }))}
                    value={connection?.id ?? null}
                    onChange={whatsappId => form.change({ whatsappId, template: null })}
                  />
                </Field>
              )}
            </RiskCard>
          </div>
          <Button kind="plain" className="w-full sm:hidden" disabled={!maySay} onClick={() => setTrying(true)}>
            {t('test.open')}
          </Button>
          <Arrives fields={fields} word={word} company={connection?.name ?? ''} />
        </div>
      </div>
      <footer className="flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line bg-surface px-7 py-3 max-sm:px-4">
        <p className="m-0 min-w-0 flex-1 basis-60 text-cell text-text-2" role="status">
          {form.isMadeBefore ? (
            <MadeBefore form={form} />
          ) : problem !== null ? (
            <span className="text-danger">{problem}</span>
          ) : error !== null ? (
            <>
              {describeError(error)}{' '}
              <button type="button" className="b-link" onClick={again}>
                {t('retry')}
              </button>
            </>
          ) : (
            preview && (
              <>
                <b className="font-semibold text-ink">
                  {formatNumber(preview.count)} {t('audience.people', { count: preview.count })}
                </b>{' '}
                · {connection ? describeStart(preview, connection, t, now) : describeFault('send.noConnection')}
              </>
            )
          )}
        </p>
        {preview && preview.count > 0 && <RiskMark level={preview.risk.level} />}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-x-3 gap-y-2 max-sm:w-full">
          {/* On a phone the foot is for what is done most: this one stands at the end of the form, and the arrow above leads out. */}
          <Button kind="plain" className="max-sm:hidden" disabled={!maySay} onClick={() => setTrying(true)}>
            {t('test.open')}
          </Button>
          <Button className="max-sm:hidden" onClick={back}>
            {t('cancel')}
          </Button>
          <Button
            type="submit"
            kind="primary"
            className="max-sm:h-12 max-sm:w-full"
            busy={form.busy}
            disabled={!isReady}
          >
            {preview && isNow ? t('form.createCount', { count: preview.count }) : t('form.create')}
          </Button>
        </div>
      </footer>
      {isTrying && (
        <TestSend
          body={() => toFormData(fields, word, connections, form.clientId)}
          number={number}
          onNumber={setNumber}
          onClose={() => setTrying(false)}
        />
      )}
      {doubting && preview && (
        <ConfirmDialog
          title={t('doubt.title', { name: connection?.name ?? '' })}
          text={preview.risk.causes.map(({ code, params }) => t(`risk.cause.${code}`, params)).join(' ')}
          action={t('form.createCount', { count: preview.count })}
          keep={t('doubt.keep')}
          onConfirm={() => {
            doubt(false)
            form.submit()
          }}
          onClose={() => doubt(false)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={t('leave.title')}
          text={t('leave.text')}
          action={t('leave.action')}
          onConfirm={() => {
            form.stopUpload?.()
            form.forget()
            void navigate('/envios')
          }}
          onClose={() => leave(false)}
        />
      )}
    </form>
  )
}
