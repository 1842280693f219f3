import type { JobStarted } from '@balcao/contract/entities/job'
import { errorText } from '@balcao/ui/i18n'
import { Button, toast } from '@balcao/ui/parts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useKitTexts } from './texts.ts'

interface ExportButtonProps {
  readonly label: string
  /** Begins the work; the tray goes on with it. */
  readonly begin: () => Promise<JobStarted>
}

/** Begins an export. The file is in the tray when it is ready, also after the page was left. */
export function ExportButton({ label, begin }: ExportButtonProps) {
  const kit = useKitTexts()
  const [busy, setBusy] = useState(false)
  async function run() {
    setBusy(true)
    try {
      await begin()
      toast.info(kit('job.begun'))
    } catch (error) {
      toast.error(errorText(error))
    }
    setBusy(false)
  }
  return (
    <Button icon={Download} busy={busy} onClick={() => void run()}>
      {label}
    </Button>
  )
}
