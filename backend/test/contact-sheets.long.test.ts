import './contact-sheets.test.ts'
