// Every command, in the order of the help. A new one: its file here, its texts in `locales/<file>`, a line in this list.
import type { Command } from '../kit/command.ts'
import { createBackup, restoreBackup, verifyBackup } from './backup.ts'
import { complete, completion } from './completion.ts'
import { connections } from './connections.ts'
import { devices, endDevice } from './devices.ts'
import { doctor } from './doctor.ts'
import { exportContacts, exportDelegation } from './export.ts'
import { files, moveFiles, takeOverBucket } from './files.ts'
import { importContacts, importDelegation } from './import.ts'
import { importFiles, importFrom, resumeImport, undoImport } from './import-from.ts'
import { importUsers } from './import-users.ts'
import { cancelJob, jobs, saveJob } from './jobs.ts'
import { login } from './login.ts'
import { logout } from './logout.ts'
import { logs } from './logs.ts'
import { migrate } from './migrate.ts'
import { pair } from './pair.ts'
import { erasePerson, exportPerson, findPeople, listErasures, showPerson, undoErasure } from './privacy.ts'
import { profiles, useProfile } from './profiles.ts'
import { queues } from './queues.ts'
import { report } from './report.ts'
import { resetPassword } from './reset-password.ts'
import { search } from './search.ts'
import { send } from './send.ts'
import { answerTicket, listTickets, showTicket, watchTickets } from './tickets.ts'
import { askIn, leaveTicket } from './tickets-followers.ts'
import { addToken, revokeToken, tokens } from './tokens.ts'
import { users } from './users.ts'
import { whoami } from './whoami.ts'

export const commands: readonly Command[] = [
  login,
  logout,
  profiles,
  useProfile,
  whoami,
  devices,
  endDevice,
  connections,
  pair,
  listTickets,
  showTicket,
  answerTicket,
  askIn,
  leaveTicket,
  watchTickets,
  search,
  send,
  queues,
  users,
  importContacts,
  importDelegation,
  importUsers,
  exportContacts,
  exportDelegation,
  report,
  jobs,
  saveJob,
  cancelJob,
  logs,
  findPeople,
  listErasures,
  showPerson,
  exportPerson,
  erasePerson,
  undoErasure,
  tokens,
  addToken,
  revokeToken,
  doctor,
  // On the server's machine.
  resetPassword,
  importFrom,
  resumeImport,
  undoImport,
  importFiles,
  migrate,
  createBackup,
  verifyBackup,
  restoreBackup,
  files,
  moveFiles,
  takeOverBucket,
  completion,
  complete(() => commands),
]
