import './contact-files.test.ts'
