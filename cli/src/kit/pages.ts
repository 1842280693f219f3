// What the pages say of the same things: one wording for both.

import sheetsEn from '@balcao/contract/texts/contact-sheets/en.json'
import sheetsEs from '@balcao/contract/texts/contact-sheets/es.json'
import sheetsPt from '@balcao/contract/texts/contact-sheets/pt.json'
import logEn from '@balcao/contract/texts/log/en.json'
import logEs from '@balcao/contract/texts/log/es.json'
import logPt from '@balcao/contract/texts/log/pt.json'
import userSheetsEn from '@balcao/contract/texts/user-sheets/en.json'
import userSheetsEs from '@balcao/contract/texts/user-sheets/es.json'
import userSheetsPt from '@balcao/contract/texts/user-sheets/pt.json'
import connectionsEn from '../../../mfe-admin/locales/connections/en.json'
import connectionsEs from '../../../mfe-admin/locales/connections/es.json'
import connectionsPt from '../../../mfe-admin/locales/connections/pt.json'
import doctorEn from '../../../mfe-admin/locales/doctor/en.json'
import doctorEs from '../../../mfe-admin/locales/doctor/es.json'
import doctorPt from '../../../mfe-admin/locales/doctor/pt.json'
import privacyEn from '../../../mfe-admin/locales/privacy/en.json'
import privacyEs from '../../../mfe-admin/locales/privacy/es.json'
import privacyPt from '../../../mfe-admin/locales/privacy/pt.json'
import screensEn from '../../../ui/locales/screens/en.json'
import screensEs from '../../../ui/locales/screens/es.json'
import screensPt from '../../../ui/locales/screens/pt.json'
import type { LocalTexts } from './texts.ts'

/** `status.<status>`, `trouble.reason.<reason>`, `doctor.step.<step>`. */
export const CONNECTION_TEXTS: LocalTexts = { pt: connectionsPt, en: connectionsEn, es: connectionsEs }
/** `finding.<code>.…`, `area.<area>`, `level.<level>`. */
export const DOCTOR_TEXTS: LocalTexts = { pt: doctorPt, en: doctorEn, es: doctorEs }
/** `place.<id>.…`, `state.<state>`, `heldBy.<held>`. */
export const PRIVACY_TEXTS: LocalTexts = { pt: privacyPt, en: privacyEn, es: privacyEs }
/** `problem.<code>`: what is wrong with a row of a sheet. */
export const SHEET_TEXTS: LocalTexts = { pt: sheetsPt, en: sheetsEn, es: sheetsEs }
/** `column.<column>` of a sheet of people. */
export const USER_SHEET_TEXTS: LocalTexts = { pt: userSheetsPt, en: userSheetsEn, es: userSheetsEs }
/** `log.<action>`. */
export const LOG_TEXTS: LocalTexts = { pt: logPt, en: logEn, es: logEs }
/** `job.kind.<kind>`: what long work is called. */
export const SCREEN_TEXTS: LocalTexts = { pt: screensPt, en: screensEn, es: screensEs }
