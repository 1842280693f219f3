import type { HeldData, Job } from '@balcao/contract'
import { api } from '@balcao/ui/api'
import { getLanguage, useTexts } from '@balcao/ui/i18n'
import { ExportButton, JobProgress, useJobs } from '@balcao/ui/screens'
import { useState } from 'react'

/** What is held as one archive. It is in the tray as well: the page may be left. */
export function Deliver({ held }: { readonly held: HeldData }) {
  const t = useTexts('privacy')
  const { jobs, cancel, download } = useJobs()
  const [begun, setBegun] = useState<Job['id'] | null>(null)
  const job = jobs.find(({ id }) => id === begun)
  const { id: contactId } = held.person
  return (
    <section className="b-card grid gap-2.5 px-4.5 py-4" aria-labelledby="privacy-deliver">
      <h2 id="privacy-deliver" className="b-card-title">
        {t('deliver')}
      </h2>
      <p className="m-0 text-cell text-text-2">{t('deliverText')}</p>
      {job && <JobProgress job={job} onCancel={cancel} onDownload={download} />}
      <div>
        <ExportButton
          label={t(job ? 'deliverAgain' : 'deliverNow')}
          begin={async () => {
            const started = await api('POST /privacy/:contactId/export', {
              params: { contactId },
              body: { language: getLanguage() },
            })
            setBegun(started.jobId)
            return started
          }}
        />
      </div>
    </section>
  )
}
