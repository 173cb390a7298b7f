def check_ledger() -> list[str]:
    return []
